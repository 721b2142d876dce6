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

/** Leaves absent parameters out of the address and out of the type of what is there. */
export function present<Params extends Record<string, unknown>>(
  params: Params,
): { [Name in keyof Params]?: Exclude<Params[Name], undefined> } {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Params]?: Exclude<Params[Name], undefined> };
}
