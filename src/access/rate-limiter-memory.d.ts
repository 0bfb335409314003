/**
 * Declares one of the package's files, with the type that its index declares. The package itself declares types only
 * for its index.
 */
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  export { RateLimiterMemory as default } from 'rate-limiter-flexible';
}
