import { CallError } from './call-error.ts';

type Method = string;
type Path = string;
type Input = Readonly<Record<string, unknown>>;

export interface PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** How a call travels: ids in the path, the rest in the query of a GET and in the JSON body of all others. */
export function requestFor([method, path]: readonly [Method, Path], input: Input = {}): PlainRequest {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  if (method === 'GET') {
    const pairs = queryPairs(rest);
    return { url: pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled, method };
  }
  if (Object.values(rest).every((value) => value === undefined)) return { url: filled, method };
  return { url: filled, method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) };
}

/** As oRPC's link writes a query: lists and records with brackets (`statuses[0]=new`), and no trace of what is empty. */
function queryPairs(value: unknown, path = ''): string[][] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => {
      const name = key.replaceAll(/[\\[\]]/g, '\\$&');
      return queryPairs(inner, path === '' ? name : `${path}[${name}]`);
    });
  }
  if (typeof value === 'number' && Number.isNaN(value)) return [];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[path, String(value)]] : [];
}

interface Refusal {
  readonly code: string;
  readonly message?: string;
  readonly data?: unknown;
}

function isRefusal(body: unknown): body is Refusal {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';
}

/** The answer's value, or its refusal as an error. What is not ours, such as a proxy's page, has a code that nobody knows. */
export async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const body = parsed(text);
  if (response.ok && body !== undefined) return body.value;
  const refusal = isRefusal(body?.value) ? body.value : { code: 'UNREADABLE_ANSWER' };
  throw new CallError(refusal.code, {
    status: response.ok ? 502 : response.status,
    message: refusal.message,
    data: refusal.data,
  });
}

function parsed(text: string): { value: unknown } | undefined {
  if (text === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
