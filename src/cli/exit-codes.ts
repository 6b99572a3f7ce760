/** Exit codes of `ailang-worldd` (world-behaviour 1.1). */
export const EXIT_OK = 0;
/** Wrong usage, or a client's request failed. */
export const EXIT_USAGE = 1;
/** The daemon could not start. */
export const EXIT_FATAL = 2;
/** `why` found a broken link, or `call --strict` got a committed `ok: false`. */
export const EXIT_INTEGRITY = 3;
