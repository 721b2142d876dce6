/** What N makes on which screens; elsewhere it opens the palette. */
const NEW: readonly (readonly [RegExp, string])[] = [
  [/^\/customers/, '/customers/new'],
  [/^\/quotes/, '/quotes/new'],
  [/^\/(jobs|board|calendar)/, '/jobs/new'],
  [/^\/items-services/, '/items-services/suppliers/new'],
  [/^\/staff/, '/staff/new'],
];

export function newPageFor(pathname: string): string | undefined {
  return NEW.find(([pattern]) => pattern.test(pathname))?.[1];
}

/** Keys belong to whoever types, and to an open dialog. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target instanceof Element ? event.target : null;
  return target?.closest('input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]') !== null;
}
