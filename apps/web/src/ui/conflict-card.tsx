import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Card } from './card.tsx';

export interface FieldDifference {
  label: string;
  yours: string;
  theirs: string;
  /** True if both people changed the field, false if only the other person did. */
  contested: boolean;
}

interface ConflictCardProps {
  /** Names the record in the middle of a sentence, e.g. 'this customer' or 'the settings'. */
  recordLabel: string;
  differences: readonly FieldDifference[];
  saving: boolean;
  onUseTheirs: () => void;
  onKeepMine: () => void;
}

/** Compares two conflicting versions of a record. Neither is lost until the user chooses one. */
export function ConflictCard({ recordLabel, differences, saving, onUseTheirs, onKeepMine }: ConflictCardProps) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Focus the card: the Save button may be far below it, so the rejected save would otherwise look successful.
    card.current?.focus();
  }, []);
  return (
    <Card ref={card} tabIndex={-1} role="alert" className="mb-4 scroll-mt-20 overflow-clip border-2 border-warn-ink outline-none">
      <div className="border-b p-4 lg:px-5">
        <h2 className="text-lg font-semibold">There's a newer version of {recordLabel}.</h2>
        <p className="mt-1 text-base text-ink-2">
          Your changes are still here. If you keep them, fields you didn't touch take the newer values.
        </p>
      </div>
      <ul className="divide-y">
        {differences.map((difference, index) => (
          // Two rows of a list can differ in the same field, so the label alone isn't unique.
          // oxlint-disable-next-line react/no-array-index-key
          <DifferenceRow key={`${index}-${difference.label}`} difference={difference} />
        ))}
      </ul>
      <div className="flex flex-col-reverse gap-2 border-t p-4 sm:flex-row sm:justify-end lg:px-5">
        <Button onClick={onUseTheirs} disabled={saving}>
          Use their version
        </Button>
        <Button tone="primary" onClick={onKeepMine} busy={saving}>
          Keep my changes
        </Button>
      </div>
    </Card>
  );
}

function DifferenceRow({ difference: { label, yours, theirs, contested } }: { difference: FieldDifference }) {
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
          <span className="text-ink-3">You didn't change this</span>
        )}
      </span>
    </li>
  );
}
