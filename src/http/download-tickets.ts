/**
 * Creates and redeems tickets for downloads. A browser saves a file only from a form or a link, and neither can send a
 * sign-in's proof. The page therefore requests a ticket, using the proof, and puts it in a form. A ticket is valid for
 * one caller and one file, and works once. Tickets are kept only in memory.
 */
import { randomBytes } from 'node:crypto';
import type { OutputFormat } from '../contract/output.js';
import { accountOf, type Principal } from '../access/principal.js';

/** Time between the response with the ticket and the submission of the form that uses it. */
const VALID_MS = 30_000;
/** Maximum number of tickets per account. A further ticket replaces the oldest. */
const MAX_TICKETS = 20;
const TICKET_BYTES = 32;

export interface Download {
  readonly terminalId: string;
  readonly format: OutputFormat;
}

interface Ticket extends Download {
  readonly principalId: string;
  readonly account: string;
  readonly expiresMs: number;
}

export class DownloadTickets {
  readonly #tickets = new Map<string, Ticket>();

  create(principal: Principal, download: Download): string {
    const now = performance.now();
    for (const [ticket, { expiresMs }] of this.#tickets) if (expiresMs <= now) this.#tickets.delete(ticket);
    const account = accountOf(principal);
    const own = [...this.#tickets].filter(([, ticket]) => ticket.account === account);
    if (own.length >= MAX_TICKETS) this.#tickets.delete(own[0]![0]);
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    this.#tickets.set(ticket, { ...download, principalId: principal.id, account, expiresMs: now + VALID_MS });
    return ticket;
  }

  /**
   * Uses up a ticket, even if it belongs to another caller. Returns the download that it permits, or undefined if it is
   * not valid for this caller.
   */
  redeem({ id }: Principal, ticket: string): Download | undefined {
    const found = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return found && found.principalId === id && performance.now() < found.expiresMs ? found : undefined;
  }
}
