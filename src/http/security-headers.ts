/**
 * The security headers of every answer. What needs TLS is only said over TLS, so that plain http in
 * a local network keeps working.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { PAGE_STYLE } from './pages.js';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** A function that sets the headers. Nothing may be loaded or run but the style of our pages. */
export function securityHeaders(isTls: boolean): (request: IncomingMessage, response: ServerResponse) => void {
  const style = `'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`;
  // Sets everything before it calls back, and has nothing to fail with once made.
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
    // Answers to pages of other origins are read by CORS with a key, which this header leaves alone.
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: isTls ? { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  });
  return (request, response) => headers(request, response, () => {});
}
