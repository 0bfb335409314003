/** The link that signs in on the page. The code is in the fragment, which no server and no log sees. Pure. */

export function signInLink(url: string, code: string): string {
  return `${url}/#code=${code}`;
}
