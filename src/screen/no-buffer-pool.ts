/**
 * Disables Node's pool of small buffers while the importing module's next import is evaluated. The add-on for character
 * widths reads its table through a view of a buffer, and returns wrong widths if the view does not begin at 0 of the
 * pool (xtermjs/xterm.js#6079).
 */
export const POOL_SIZE = Buffer.poolSize;
Buffer.poolSize = 0;
