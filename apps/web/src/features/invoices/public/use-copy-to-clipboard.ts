import { useEffect, useState } from 'react';

/** A text to copy. `id` is the id of the element that displays the text. */
export interface CopyableText {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

export interface CopyMessage {
  readonly text: string;
  /** Distinguishes repeated copies of the same text, so that every copy is announced. */
  readonly count: number;
}

const MESSAGE_DURATION_MS = 5_000;

/** Copies a text and confirms the copy. If the browser blocks copying, selects the text for the customer to copy. */
export function useCopyToClipboard() {
  const [message, setMessage] = useState<CopyMessage | null>(null);
  useEffect(() => {
    if (!message) return undefined;
    const timer = window.setTimeout(() => setMessage(null), MESSAGE_DURATION_MS);
    return () => window.clearTimeout(timer);
  }, [message]);

  const announce = (text: string) => setMessage((before) => ({ text, count: (before?.count ?? 0) + 1 }));
  const copy = async ({ id, name, text }: CopyableText) => {
    try {
      await navigator.clipboard.writeText(text);
      announce(`${name} copied to clipboard!`);
    } catch {
      // The browser denied clipboard access, or the page isn't served over HTTPS, so select the text to copy by hand.
      selectElementText(id);
      announce(`Your browser blocked copying. The ${name.toLowerCase()} is selected for you to copy.`);
    }
  };
  return { message, copy };
}

function selectElementText(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  element.scrollIntoView({ block: 'center' });
  window.getSelection()?.selectAllChildren(element);
}
