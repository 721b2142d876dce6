import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Card } from './card.tsx';

export interface ShownDifference {
  label: string;
  yours: string;
  theirs: string;
  /** Both changed it; otherwise only they did. */
  contested: boolean;
}

interface ConflictCardProps {
  /** What was changed by two people: 'this customer', 'the settings'. */
  what: string;
  differences: readonly ShownDifference[];
  saving: boolean;
  onLoadTheirs: () => void;
  onSaveMine: () => void;
}

/** Two people saved the same record: shows both, loses neither until somebody chooses. */
export function ConflictCard({ what, differences, saving, onLoadTheirs, onSaveMine }: ConflictCardProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed Save may be far below: without this a refused save would look like one that worked.
    place.current?.focus();
  }, []);
  return (
    <Card ref={place} tabIndex={-1} role="alert" className="mb-4 scroll-mt-20 overflow-clip border-2 border-warn-ink outline-none">
      <div className="border-b p-4 lg:px-5">
        <h2 className="text-lg font-semibold">Somebody else changed {what} meanwhile.</h2>
        <p className="mt-1 text-base text-ink-2">
          What you typed is still here and nothing was overwritten. Saving yours keeps their changes in the fields you did not touch.
        </p>
      </div>
      {differences.length > 0 && (
        <ul className="divide-y">
          {differences.map((difference) => (
            <DifferenceRow key={difference.label} difference={difference} />
          ))}
        </ul>
      )}
      <div className="flex flex-col-reverse gap-2 border-t p-4 sm:flex-row sm:justify-end lg:px-5">
        <Button onClick={onLoadTheirs} disabled={saving}>
          Load theirs
        </Button>
        <Button tone="primary" onClick={onSaveMine} busy={saving}>
          Save mine over it
        </Button>
      </div>
    </Card>
  );
}

function DifferenceRow({ difference: { label, yours, theirs, contested } }: { difference: ShownDifference }) {
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 text-base sm:grid-cols-[9rem_1fr_1fr] lg:px-5">
      <span className="font-medium">{label}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="text-ink-3">Theirs: </span>
        {theirs || 'empty'}
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {contested ? (
          <>
            <span className="text-ink-3">Yours: </span>
            {yours || 'empty'}
          </>
        ) : (
          <span className="text-ink-3">You did not change this</span>
        )}
      </span>
    </li>
  );
}
