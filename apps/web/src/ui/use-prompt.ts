import { useState } from 'react';

/** Opens a dialog with a question and waits for the answer. `subject` is what the question is about, for its text. */
export function usePrompt<Subject, Answer>() {
  const [asked, setAsked] = useState<{ readonly subject: Subject; readonly resolve: (answer: Answer) => void }>();
  return {
    subject: asked?.subject,
    isOpen: asked !== undefined,
    ask: (subject: Subject) => new Promise<Answer>((resolve) => setAsked({ subject, resolve })),
    answer: (answer: Answer) => {
      asked?.resolve(answer);
      setAsked(undefined);
    },
  };
}
