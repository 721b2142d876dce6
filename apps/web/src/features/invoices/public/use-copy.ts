import { useEffect, useState } from 'react';

/** Something to copy, and the element that shows it. */
export interface Copied {
  readonly id: string;
  /** 'Account number' */
  readonly name: string;
  readonly text: string;
}

export interface CopyMessage {
  readonly text: string;
  /** Tells two copies of the same apart, so that both are announced. */
  readonly count: number;
}

const SHOWN_MS = 5_000;

/** Copies to the clipboard and says so. Where the browser refuses, the text is selected for the customer to copy. */
export function useCopy() {
  const [message, setMessage] = useState<CopyMessage | null>(null);
  useEffect(() => {
    if (!message) return undefined;
    const timer = window.setTimeout(() => setMessage(null), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [message]);

  const say = (text: string) => setMessage((before) => ({ text, count: (before?.count ?? 0) + 1 }));
  const copy = async ({ id, name, text }: Copied) => {
    try {
      await navigator.clipboard.writeText(text);
      say(`${name} copied to clipboard!`);
    } catch {
      // Refused, or there is no clipboard at all without https.
      selectTextOf(id);
      say(`Your browser blocked copying. The ${name.toLowerCase()} is selected: copy it from there.`);
    }
  };
  return { message, copy };
}

function selectTextOf(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  element.scrollIntoView({ block: 'center' });
  window.getSelection()?.selectAllChildren(element);
}
