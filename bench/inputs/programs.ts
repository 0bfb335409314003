/** The programs that run in terminals under test, as scripts for `sh -c`. */

/** Reports that it is ready, then echoes each byte as it arrives. */
export const ECHO_PROGRAM = "stty raw -echo; printf '!'; exec cat";

const LOG_LINE = '2026-01-01T00:00:00.000Z INFO  [http] request completed path=/api/v1/orders/4711 duration_ms=12';

/** Prints log lines without end, as fast as they are read. */
export const FLOOD_PROGRAM = `exec yes '${LOG_LINE}'`;

/** 12,000 lines of 100 characters, then one line a second. */
export const CHATTY_PROGRAM = "seq -f '%0100.0f' 1 12000; while sleep 1; do echo still here; done";
