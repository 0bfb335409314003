/**
 * Builds the link that signs in to the page. The code is in the fragment, which browsers do not send and logs do not
 * contain. Pure.
 */

export function signInLink(url: string, code: string): string {
  return `${url}/#code=${code}`;
}
