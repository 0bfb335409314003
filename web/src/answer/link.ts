/**
 * Exchanges the code of a link for the question that it permits to answer, and sends the answer. The proof exists only
 * in this module's memory. The answer is not kept.
 */

/** The question, as `POST /api/answer-links` returns it. */
export interface LinkedQuestion {
  readonly by: string;
  readonly kind: 'line' | 'key' | 'password' | 'program' | 'unknown';
  readonly prompt: string;
  readonly terminal: string;
  readonly command: string;
}

export interface OpenLink {
  readonly question: LinkedQuestion;
  /** Sends the answer. @throws Error with the words to show. */
  readonly send: (text: string) => Promise<void>;
}

/** Opens a link. @throws Error with the words to show. */
export async function openLink(code: string): Promise<OpenLink> {
  const answer = await post<{ data: { proof: string; question: LinkedQuestion } }>('/api/answer-links', { code });
  const { proof, question } = answer.data;
  return { question, send: async (text) => void (await post('/api/answers', { proof, text })) };
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const options = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, options).catch(() => {
    throw new Error('The server is not responding. Nothing was typed.');
  });
  if (!response.ok) throw new Error(await wordsOf(response));
  return (await response.json()) as Answer;
}

async function wordsOf(response: Response): Promise<string> {
  if (response.status === 429) return `Too many attempts. Try again in ${response.headers.get('Retry-After') ?? 30} s.`;
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  return error?.message ?? `The server responded with ${response.status}`;
}
