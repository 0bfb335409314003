/**
 * Sets the security headers of every response. Sends headers that require TLS only over TLS, so that plain HTTP keeps
 * working in a local network.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { PAGE_STYLE } from './pages.js';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Returns a function that sets the headers. Nothing may be loaded or run except the style of our pages. */
export function securityHeaders(isTls: boolean): (request: IncomingMessage, response: ServerResponse) => void {
  const style = `'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`;
  // Sets all headers synchronously before it calls back, and cannot fail once created.
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [style],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Pages of other origins read responses through CORS with a key, which this header does not affect.
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: isTls ? { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  });
  return (request, response) => headers(request, response, () => {});
}
