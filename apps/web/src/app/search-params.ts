/** Plain text instead of the router's JSON: a search for digits stays text, and URLs are readable. */
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

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What is no id would only be refused. */
export function idParam(search: Record<string, unknown>, name: string): string | undefined {
  const id = textParam(search, name);
  return id && ID.test(id) ? id : undefined;
}

/** A day of this century, 'yyyy-MM-dd'. */
export function dateParam(search: Record<string, unknown>, name: string): string | undefined {
  const date = textParam(search, name);
  const ms = date && /^20\d\d-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // A day that does not exist rolls over into the next month.
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === date ? date : undefined;
}

/** 'HH:mm'. */
export function timeParam(search: Record<string, unknown>, name: string): string | undefined {
  const time = textParam(search, name);
  return time && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : undefined;
}

/** A text parameter; absent when empty. */
export function textParam(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** As long as a search field takes it: a longer one would only be refused. */
const MAX_SEARCH = 200;

/** What is searched for. */
export const searchParam = (search: Record<string, unknown>) => textParam(search, 'search')?.slice(0, MAX_SEARCH);

/** A parameter with fixed values; any other value counts as absent. */
export function choiceParam<Choice extends string>(
  search: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === search[name]);
}

/**
 * Types absent parameters as optional. The key itself stays with the value undefined: the router would keep a parameter that the route
 * does not name, valid or not.
 */
export function present<Params extends Record<string, unknown>>(
  params: Params,
): { [Name in keyof Params]?: Exclude<Params[Name], undefined> } {
  return params as { [Name in keyof Params]?: Exclude<Params[Name], undefined> };
}
