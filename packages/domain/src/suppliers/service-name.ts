const SERVICE_WORDS = /\b(labou?r|call[- ]?out|hours?|hourly|installation|inspection|travel)\b/i;

/** Guesses from a typed name whether a line is a service. People can correct the guess where the line is edited. */
export function isServiceName(name: string): boolean {
  return SERVICE_WORDS.test(name);
}
