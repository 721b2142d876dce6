import { LARGE_QUANTITY } from '@callout/domain/jobs/quantity';
import { formatCount } from '@callout/domain/text/count-format';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { usePrompt } from '../../ui/use-prompt.ts';

/** Asks before saving a quantity that is probably a typo. `confirm` returns false if the person wants to correct it. */
export function useLargeQuantityPrompt() {
  const prompt = usePrompt<number, boolean>();
  const text = formatCount(prompt.subject ?? 0);
  return {
    confirm: async (quantity: number) => quantity <= LARGE_QUANTITY || prompt.ask(quantity),
    dialog: (
      <ConfirmDialog
        open={prompt.isOpen}
        onOpenChange={(open) => open || prompt.answer(false)}
        title={`Is the quantity really ${text}?`}
        confirmLabel={`Use ${text}`}
        tone="primary"
        onConfirm={() => prompt.answer(true)}
      />
    ),
  };
}
