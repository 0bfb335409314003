/**
 * Sets the security headers of every response. Sends headers that force TLS only over TLS, so that plain HTTP still
 * works in a local network.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { PAGE_STYLE } from './pages.js';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Returns a function that sets the headers, which forbid loading or running anything except the styles of our pages.
 */
export function securityHeaders(isTls: boolean): (request: IncomingMessage, response: ServerResponse) => void {
  const style = `'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`;
  // Sets all headers synchronously before it calls back, and cannot fail once it has been created.
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
    // Does not affect pages of other origins, which read responses through CORS with a key.
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: isTls ? { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  });
  return (request, response) => headers(request, response, () => {});
}
