/** The names of the views of the jobs list that everyone has from the start. They are not stored. */
export const BUILT_IN_VIEWS = { all: 'All jobs', today: 'My jobs today' } as const;

/** Returns true if no saved view may have the name, ignoring letter case. */
export const isBuiltInViewName = (name: string): boolean =>
  Object.values(BUILT_IN_VIEWS).some((builtIn) => builtIn.toLowerCase() === name.toLowerCase());
