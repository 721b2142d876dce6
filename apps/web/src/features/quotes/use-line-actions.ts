import type { ItemChoice } from '@callout/contract/items';
import type { SectionTemplate } from '@callout/contract/quotes';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { toast } from '../../ui/toast.ts';
import {
  createCustomLine,
  createLineFromItem,
  createRowsFromTemplate,
  createSection,
  type QuoteFormOutput,
  type QuoteFormValues,
  type QuoteLineRow,
  type QuoteSectionRow,
} from './quote-form.ts';
import {
  addItem,
  addSection,
  duplicateSection,
  findItemPosition,
  groupItemsBySection,
  moveItem,
  moveItemOneStep,
  moveSection,
  type QuoteLines,
  removeItem,
  removeSection,
  updateItem,
  updateSection,
} from './quote-lines.ts';

export type QuoteFormReturn = UseFormReturn<QuoteFormValues, unknown, QuoteFormOutput>;

const ITEM_ADDED_MESSAGE = 'Item added to section';

/** Returns actions on a quote's sections and items. The returned object stays the same as long as `form` does. */
export function useLineActions(form: QuoteFormReturn) {
  const { isSubmitted } = form.formState;
  const shouldValidate = useRef(false);
  useLayoutEffect(() => {
    shouldValidate.current = isSubmitted;
  });
  return useMemo(() => {
    const getLines = (): QuoteLines => ({ sections: form.getValues('sections'), items: form.getValues('items') });
    const setLines = (next: QuoteLines) => {
      const now = getLines();
      const options = { shouldDirty: true, shouldValidate: shouldValidate.current };
      if (next.sections !== now.sections) form.setValue('sections', [...next.sections], options);
      if (next.items !== now.items) form.setValue('items', [...next.items], options);
    };
    const addLine = (line: QuoteLineRow): string => {
      setLines(addItem(getLines(), line));
      toast.success(ITEM_ADDED_MESSAGE);
      return line.id;
    };
    return {
      getLines,
      setLines,
      addPriceListItem: (item: ItemChoice, sectionId: string) => addLine(createLineFromItem(item, sectionId)),
      addCustomItem: (name: string, sectionId: string) =>
        addLine(createCustomLine(name, sectionId, groupItemsBySection(getLines()).get(sectionId)?.at(-1))),
      updateItem: (id: string, change: Partial<QuoteLineRow>) => {
        setLines(updateItem(getLines(), id, change));
        // Revalidates an invalid line on every change, so that its error disappears once the line is valid.
        const index = getLines().items.findIndex((item) => item.id === id);
        if (form.getFieldState(`items.${index}`).invalid) void form.trigger(`items.${index}`);
      },
      validate: (id: string, cell: 'quantity' | 'unit_price') =>
        void form.trigger(`items.${getLines().items.findIndex((item) => item.id === id)}.${cell}`),
      moveItem: (id: string, sectionId: string, position: number) => setLines(moveItem(getLines(), id, sectionId, position)),
      moveItemToEnd: (id: string, sectionId: string) => setLines(moveItem(getLines(), id, sectionId, Number.POSITIVE_INFINITY)),
      moveItemOneStep: (id: string, by: 1 | -1) => setLines(moveItemOneStep(getLines(), id, by)),
      removeItem: (id: string) => {
        const before = getLines();
        const item = before.items.find((other) => other.id === id);
        const origin = findItemPosition(before, id);
        if (!item || !origin) return;
        setLines(removeItem(before, id));
        const undo = () => {
          const [now, after] = [getLines(), addItem(getLines(), item)];
          if (after.items !== now.items) setLines(moveItem(after, id, origin.sectionId, origin.position));
        };
        toast.blank(`${item.name} removed`, { id: `removed ${id}`, action: { label: 'Undo', run: undo } });
      },
      addSection: (name: string): string => {
        const section = createSection(name);
        setLines(addSection(getLines(), section));
        return section.id;
      },
      insertTemplate: (template: SectionTemplate): string => {
        const { section, items } = createRowsFromTemplate(template);
        setLines(addSection(getLines(), section, items));
        return section.id;
      },
      updateSection: (id: string, change: Partial<QuoteSectionRow>) => setLines(updateSection(getLines(), id, change)),
      moveSection: (id: string, by: 1 | -1) => setLines(moveSection(getLines(), id, by)),
      duplicateSection: (id: string) => setLines(duplicateSection(getLines(), id)),
      removeSection: (id: string) => {
        const before = getLines();
        const position = before.sections.findIndex((section) => section.id === id);
        const section = before.sections[position];
        if (!section) return;
        if (before.sections.length === 1) {
          toast.error('At least one section is required');
          return;
        }
        const items = groupItemsBySection(before).get(id) ?? [];
        setLines(removeSection(before, id));
        const undo = () => setLines(addSection(getLines(), section, items, position));
        toast.blank(`${section.name} removed`, { id: `removed ${id}`, action: { label: 'Undo', run: undo } });
      },
    };
  }, [form]);
}

export type LineActions = ReturnType<typeof useLineActions>;
