/** Addresses carry plain text: a term of digits stays text, and a link can be read and written by hand. */
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

/** A text parameter; absent when empty. */
export function textParam(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A parameter with few values; anything else counts as absent. */
export function choiceParam<Choice extends string>(
  search: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === search[name]);
}

/**
 * What a route makes of its parameters: what is absent counts as left out by the type and by the address. Its name stays, because the router
 * keeps a parameter that the route does not name as it was typed, also one that means nothing.
 */
export function present<Params extends Record<string, unknown>>(
  params: Params,
): { [Name in keyof Params]?: Exclude<Params[Name], undefined> } {
  return params as { [Name in keyof Params]?: Exclude<Params[Name], undefined> };
}
