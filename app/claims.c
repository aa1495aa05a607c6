#include "claims.h"

const char *app_claim_verdict_name(enum app_claim_verdict verdict)
{
    static const char *const names[] = {"not measured", "HOLDS", "INVERTED", "CAN'T TELL",
                                        "ABOVE",        "BELOW", "FAILS"};
    return names[verdict];
}
