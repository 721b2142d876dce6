import type { ItemChoice } from '@callout/contract/items';
import type { SectionTemplate } from '@callout/contract/quotes';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { toast } from '../../ui/toast.ts';
import {
  customLine,
  type LineRow,
  lineOfItem,
  newSection,
  type QuoteFormOutput,
  type QuoteValues,
  rowsOfTemplate,
  type SectionRow,
} from './quote-form.ts';
import {
  addItem,
  addSection,
  changeItem,
  changeSection,
  duplicateSection,
  itemsBySection,
  moveItem,
  positionOf,
  type QuoteLines,
  removeItem,
  removeSection,
  stepItem,
  stepSection,
} from './quote-lines.ts';

export type QuoteFormReturn = UseFormReturn<QuoteValues, unknown, QuoteFormOutput>;

const ADDED = 'Item added to section';

/** Everything that can be done to the sections and items of a quote; the same object as long as the form is the same. */
export function useLineActions(form: QuoteFormReturn) {
  const { isSubmitted } = form.formState;
  const validates = useRef(false);
  useLayoutEffect(() => {
    validates.current = isSubmitted;
  });
  return useMemo(() => {
    const read = (): QuoteLines => ({ sections: form.getValues('sections'), items: form.getValues('items') });
    const write = (next: QuoteLines) => {
      const now = read();
      const options = { shouldDirty: true, shouldValidate: validates.current };
      if (next.sections !== now.sections) form.setValue('sections', [...next.sections], options);
      if (next.items !== now.items) form.setValue('items', [...next.items], options);
    };
    const add = (line: LineRow): string => {
      write(addItem(read(), line));
      toast.success(ADDED);
      return line.id;
    };
    return {
      read,
      /** Puts back what was there before a move that is given up. */
      restore: write,
      addFromPriceList: (item: ItemChoice, sectionId: string) => add(lineOfItem(item, sectionId)),
      /** Its price is still to be typed. */
      addCustom: (name: string, sectionId: string) => add(customLine(name, sectionId, itemsBySection(read()).get(sectionId)?.at(-1))),
      change: (id: string, change: Partial<LineRow>) => {
        write(changeItem(read(), id, change));
        // A message goes as soon as what it is about is right.
        const index = read().items.findIndex((item) => item.id === id);
        if (form.getFieldState(`items.${index}`).invalid) void form.trigger(`items.${index}`);
      },
      /** Shows the message of a field that was left. */
      check: (id: string, cell: 'quantity' | 'unit_price') =>
        void form.trigger(`items.${read().items.findIndex((item) => item.id === id)}.${cell}`),
      move: (id: string, sectionId: string, position: number) => write(moveItem(read(), id, sectionId, position)),
      moveToEnd: (id: string, sectionId: string) => write(moveItem(read(), id, sectionId, Number.POSITIVE_INFINITY)),
      step: (id: string, by: 1 | -1) => write(stepItem(read(), id, by)),
      remove: (id: string) => {
        const before = read();
        const item = before.items.find((other) => other.id === id);
        const place = positionOf(before, id);
        if (!item || !place) return;
        write(removeItem(before, id));
        const undo = () => {
          const [now, after] = [read(), addItem(read(), item)];
          if (after.items !== now.items) write(moveItem(after, id, place.sectionId, place.position));
        };
        toast.blank(`${item.name} removed`, { id: `removed ${id}`, action: { label: 'Undo', run: undo } });
      },
      addSection: (name: string): string => {
        const section = newSection(name);
        write(addSection(read(), section));
        return section.id;
      },
      insertTemplate: (template: SectionTemplate): string => {
        const { section, items } = rowsOfTemplate(template);
        write(addSection(read(), section, items));
        return section.id;
      },
      changeSection: (id: string, change: Partial<SectionRow>) => write(changeSection(read(), id, change)),
      stepSection: (id: string, by: 1 | -1) => write(stepSection(read(), id, by)),
      duplicateSection: (id: string) => write(duplicateSection(read(), id)),
      removeSection: (id: string) => {
        const before = read();
        const position = before.sections.findIndex((section) => section.id === id);
        const section = before.sections[position];
        if (!section) return;
        if (before.sections.length === 1) {
          toast.error('At least one section is required');
          return;
        }
        const items = itemsBySection(before).get(id) ?? [];
        write(removeSection(before, id));
        const undo = () => write(addSection(read(), section, items, position));
        toast.blank(`${section.name} removed`, { id: `removed ${id}`, action: { label: 'Undo', run: undo } });
      },
    };
  }, [form]);
}

export type LineActions = ReturnType<typeof useLineActions>;
