import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_DELAY_MS = 20;

export interface CustomerWriters {
  /** Ids of the customers for which the server responded with 201. */
  readonly acknowledged: ReadonlySet<string>;
  /** Responses that are neither a success nor worth retrying, as '<status> for <customer id>'. */
  readonly unexpectedStatuses: readonly string[];
  /** Resolves once `count` more customers have been acknowledged, or every writer has stopped after an unexpected status. */
  waitForAcknowledged(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts several writers that keep creating customers. Like the web app, they retry each customer until the server acknowledges it. */
export async function startCustomerWriters(url: string, writerCount: number): Promise<CustomerWriters> {
  const cookie = await signUpWithCompany(url);
  const acknowledged = new Set<string>();
  const unexpectedStatuses: string[] = [];
  const events = new EventEmitter();
  const stopping = new AbortController();

  async function writeUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      const id = randomUUID();
      while (!acknowledged.has(id)) {
        const status = await createCustomer(url, cookie, id);
        if (status === 201) acknowledged.add(id);
        else if (stopping.signal.aborted) return;
        else if (status !== undefined && status < 500) return void unexpectedStatuses.push(`${status} for ${id}`);
        else await pause(RETRY_DELAY_MS);
      }
      events.emit('acknowledged');
    }
  }

  const writing = Promise.all(Array.from({ length: writerCount }, writeUntilStopped));
  return {
    acknowledged,
    unexpectedStatuses,
    async waitForAcknowledged(count) {
      const goal = acknowledged.size + count;
      while (acknowledged.size < goal && unexpectedStatuses.length < writerCount) await once(events, 'acknowledged');
    },
    async stop() {
      stopping.abort();
      await writing;
    },
  };
}

/** Returns the status of the response, or undefined if the server didn't respond. */
async function createCustomer(url: string, cookie: string, id: string): Promise<number | undefined> {
  const fields = {
    type: 'individual',
    name: `Customer ${id}`,
    email: `${id}@example.com`,
    phone: '021 555 0100',
    address: '1 Quay Street',
  };
  const emptyFields = { notes: null, company_name: null, contact_name: null, contact_email: null, contact_phone: null };
  const response = await postJson(url, '/api/customers', { id, ...fields, ...emptyFields }, cookie).catch(() => undefined);
  return response?.status;
}

/** Creates an account with a company and returns the account's session cookie. */
async function signUpWithCompany(url: string): Promise<string> {
  const credentials = { email: 'owner@example.com', password: 'correct horse' };
  await postJson(url, '/api/auth/sign-up', credentials);
  const session = await postJson(url, '/api/auth/sign-in', credentials);
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const company = await postJson(url, '/api/company', {}, cookie);
  if (!company.ok) throw new Error(`Creating a company failed with status ${company.status}`);
  return cookie;
}

async function postJson(url: string, path: string, body: unknown, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response;
}
