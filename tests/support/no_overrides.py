"""Lets a test that runs as root meet files without permission.

Root may open every file. A user in its place might not reach the program itself, which can lie in a
folder of root's alone. So a test keeps its user and gives up what lets root override permissions:
the program then may read and write what root's own permissions allow.
"""
import ctypes
import os

PR_CAPBSET_DROP = 24  # linux/prctl.h
# linux/capability.h; the last one is that of replacing another's file in a sticky folder
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER = 1, 2, 3


def drop():
    """For subprocess's preexec_fn: the program that follows cannot override permissions."""
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "cannot give up root's override of permissions")
