"""What an X display shows, read through Xlib."""
import ctypes as c


class Image(c.Structure):  # the beginning of an XImage
    _fields_ = [("width", c.c_int), ("height", c.c_int), ("offset", c.c_int), ("format", c.c_int),
                ("data", c.c_void_p), ("order", c.c_int), ("unit", c.c_int), ("bits", c.c_int),
                ("pad", c.c_int), ("depth", c.c_int), ("row", c.c_int)]


def rows(left, top, width, height):
    """Returns the rows of a rectangle of the screen, 4 bytes per pixel: blue, green, red, unused."""
    x = c.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = c.c_void_p
    x.XDefaultRootWindow.restype = c.c_ulong
    x.XGetImage.restype = c.POINTER(Image)
    display = c.c_void_p(x.XOpenDisplay(None))
    root = c.c_ulong(x.XDefaultRootWindow(display))
    image = x.XGetImage(display, root, left, top, width, height, c.c_ulong(0xffffffff), 2).contents
    data = c.string_at(image.data, image.row * image.height)
    return [data[y * image.row : y * image.row + 4 * width] for y in range(height)]
