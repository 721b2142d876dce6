import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_DELAY_MS = 20;

export interface Writers {
  /** Ids of the customers whose creation succeeded. */
  readonly acknowledged: ReadonlySet<string>;
  /** Answers that mean neither success nor a retry. */
  readonly refused: readonly string[];
  /** Resolves when this many more customers are acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Several people who keep adding customers and, like the page, retry each until it is acknowledged. */
export async function startWriters(url: string, people: number): Promise<Writers> {
  const cookie = await signUp(url);
  const acknowledged = new Set<string>();
  const refused: string[] = [];
  const news = new EventEmitter();
  const stopping = new AbortController();

  async function write(): Promise<void> {
    while (!stopping.signal.aborted) {
      const id = randomUUID();
      while (!acknowledged.has(id)) {
        const status = await create(url, cookie, id);
        if (status === 201) acknowledged.add(id);
        else if (stopping.signal.aborted) return;
        else if (status !== undefined && status < 500) return void refused.push(`${status} for ${id}`);
        else await pause(RETRY_DELAY_MS);
      }
      news.emit('acknowledged');
    }
  }

  const writing = Promise.all(Array.from({ length: people }, write));
  return {
    acknowledged,
    refused,
    async more(count) {
      const goal = acknowledged.size + count;
      while (acknowledged.size < goal && refused.length < people) await once(news, 'acknowledged');
    },
    async stop() {
      stopping.abort();
      await writing;
    },
  };
}

/** The status of the response; undefined when there was none. */
async function create(url: string, cookie: string, id: string): Promise<number | undefined> {
  const fields = {
    type: 'individual',
    name: `Customer ${id}`,
    email: `${id}@example.com`,
    phone: '021 555 0100',
    address: '1 Quay Street',
  };
  const empty = { notes: null, company_name: null, contact_name: null, contact_email: null, contact_phone: null };
  const answer = await post(url, '/api/customers', { id, ...fields, ...empty }, cookie).catch(() => undefined);
  return answer?.status;
}

/** An account with a company. Returns its session cookie. */
async function signUp(url: string): Promise<string> {
  const credentials = { email: 'owner@example.com', password: 'correct horse' };
  await post(url, '/api/auth/sign-up', credentials);
  const session = await post(url, '/api/auth/sign-in', credentials);
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const company = await post(url, '/api/company', {}, cookie);
  if (!company.ok) throw new Error(`Making a company was answered with ${company.status}`);
  return cookie;
}

async function post(url: string, path: string, body: unknown, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
  return answer;
}
