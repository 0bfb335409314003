/**
 * Whether this package is published on npm. Until then, nothing suggests npx, which would run any package that someone
 * else had published under the name.
 */
export const IS_PUBLISHED: boolean = false;
