/** Parses every parameter as plain text, not as JSON like the router, so that a search for '123' stays a string. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') params.set(name, value);
    else if (typeof value === 'number' || typeof value === 'boolean') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

const UUID_PATTERN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns undefined for a malformed id, which the server would reject. */
export function parseIdParam(search: Record<string, unknown>, name: string): string | undefined {
  const id = parseTextParam(search, name);
  return id && UUID_PATTERN.test(id) ? id : undefined;
}

/** Returns the date as 'yyyy-MM-dd', or undefined unless it is a valid date from 2000 to 2099. */
export function parseDateParam(search: Record<string, unknown>, name: string): string | undefined {
  const date = parseTextParam(search, name);
  const ms = date && /^20\d\d-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // Some browsers parse February 30 as a day in March, so compare the result with the input.
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === date ? date : undefined;
}

/** Returns the time as 'HH:mm', or undefined if the value has a different format. */
export function parseTimeParam(search: Record<string, unknown>, name: string): string | undefined {
  const time = parseTextParam(search, name);
  return time && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : undefined;
}

/** Returns undefined if the parameter is missing or empty. */
export function parseTextParam(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Longest search term that the server accepts. */
const MAX_SEARCH_LENGTH = 200;

export const parseSearchTerm = (search: Record<string, unknown>) => parseTextParam(search, 'search')?.slice(0, MAX_SEARCH_LENGTH);

/** Returns undefined unless the value is one of the choices. */
export function parseChoiceParam<Choice extends string>(
  search: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === search[name]);
}

/** Makes undefined parameters optional in the type but keeps their keys. For a missing key, the router would use the unchecked value. */
export function toOptionalParams<Params extends Record<string, unknown>>(
  params: Params,
): { [Name in keyof Params]?: Exclude<Params[Name], undefined> } {
  return params as { [Name in keyof Params]?: Exclude<Params[Name], undefined> };
}
