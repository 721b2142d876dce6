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
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  if (method === 'GET') {
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return { url: given.length > 0 ? `${filled}?${query}` : filled, method };
  }
  if (given.length === 0) return { url: filled, method };
  return { url: filled, method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) };
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
