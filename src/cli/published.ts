/**
 * Whether this package is published on npm. As long as it is not, nothing suggests npx, which would run any package
 * that someone else publishes under the name.
 */
export const IS_PUBLISHED: boolean = false;
