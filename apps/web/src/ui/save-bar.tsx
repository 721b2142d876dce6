import { Button } from './button.tsx';

interface SaveBarProps {
  saving: boolean;
  onDiscard: () => void;
}

/** At the foot of a long form while something is unsaved: always within the thumb's reach. */
export function SaveBar({ saving, onDiscard }: SaveBarProps) {
  return (
    <div className="sticky bottom-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom))] -mx-4 mt-4 -mb-4 flex items-center gap-2 border-t bg-surface px-4 py-3 md:-mx-5 md:-mb-5 md:rounded-b-card md:bottom-0 md:px-5">
      <span className="mr-auto text-sm text-ink-2 max-sm:sr-only">Unsaved changes</span>
      <Button onClick={onDiscard} disabled={saving} className="max-sm:flex-1">
        Discard
      </Button>
      <Button type="submit" tone="primary" busy={saving} className="max-sm:flex-1">
        {saving ? 'Saving…' : 'Save Changes'}
      </Button>
    </div>
  );
}
