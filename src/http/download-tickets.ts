/**
 * Tickets for downloads: a browser saves a file only from a form or a link, which cannot send the proof of a sign-in. A
 * ticket is asked for with the proof, and is for one caller, one file and one use. In memory only.
 */
import { randomBytes } from 'node:crypto';
import type { DownloadFormat } from '../calls/download.js';
import { limitReached } from '../errors.js';

/** Time from the answer to the form that follows it. */
const VALID_MS = 30_000;
const MAX_TICKETS = 1000;
const TICKET_BYTES = 32;

export interface Download {
  readonly terminalId: string;
  readonly format: DownloadFormat;
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

  /** Uses a ticket up, even if it is another caller's. Returns what it is for, or undefined if it is not valid. */
  redeem(principalId: string, ticket: string): Download | undefined {
    const found = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return found && found.principalId === principalId && performance.now() < found.expiresMs ? found : undefined;
  }
}
