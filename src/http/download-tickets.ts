/**
 * Creates and redeems tickets for downloads. A browser saves a file only from a form or a link, neither of which can
 * send a sign-in's proof. The page requests a ticket with the proof. A ticket is valid for one caller and one file, and
 * works once. Kept in memory only.
 */
import { randomBytes } from 'node:crypto';
import type { OutputFormat } from '../contract/output.js';
import { limitReached } from '../errors.js';

/** Time between the response with the ticket and the form that uses it. */
const VALID_MS = 30_000;
const MAX_TICKETS = 1000;
const TICKET_BYTES = 32;

export interface Download {
  readonly terminalId: string;
  readonly format: OutputFormat;
}

export class DownloadTickets {
  readonly #tickets = new Map<string, Download & { readonly principalId: string; readonly expiresMs: number }>();

  /** @throws `LIMIT_REACHED` */
  create(principalId: string, download: Download): string {
    const now = performance.now();
    for (const [ticket, { expiresMs }] of this.#tickets) if (expiresMs <= now) this.#tickets.delete(ticket);
    if (this.#tickets.size >= MAX_TICKETS)
      throw limitReached('MAX_DOWNLOAD_TICKETS', MAX_TICKETS, 'Too many downloads were asked for and not begun');
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    this.#tickets.set(ticket, { ...download, principalId, expiresMs: now + VALID_MS });
    return ticket;
  }

  /** Uses up a ticket, even another caller's. Returns the download that it permits, or undefined if it is not valid. */
  redeem(principalId: string, ticket: string): Download | undefined {
    const found = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return found && found.principalId === principalId && performance.now() < found.expiresMs ? found : undefined;
  }
}
