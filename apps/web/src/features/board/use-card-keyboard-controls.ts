import type { JobRow } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import { type Board, findCard } from './board-columns.ts';

interface CardActions {
  move: (row: JobRow, from: JobStatus, to: JobStatus) => void;
  focusCard: (id: string) => void;
  scroller: RefObject<HTMLElement | null>;
}

interface PickedCard {
  readonly id: string;
  readonly to: JobStatus;
}

const ARROW_STEPS: Readonly<Record<string, readonly [columns: number, cards: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const getStatusLabel = (status: JobStatus) => getJobStatusPill(status).text;

/**
 * Handles the board's keys. Arrow keys move the focus between cards. Space picks up the focused card, left and right choose a column, and
 * Space or Enter drops the card. Escape or leaving the board cancels the move.
 */
export function useCardKeyboardControls(board: Board, { move, focusCard, scroller }: CardActions) {
  const [picked, setPicked] = useState<PickedCard>();
  const [announcement, setAnnouncement] = useState('');
  const { columns } = board;

  const cancel = () => {
    const found = picked && findCard(board, picked.id);
    setPicked(undefined);
    setAnnouncement(found ? `${found.row.title} stays in ${getStatusLabel(found.column.status)}.` : '');
  };

  const moveFocus = (from: { column: number; row: number }, key: string): boolean => {
    const [columnStep, rowStep] = ARROW_STEPS[key] ?? [0, 0];
    if (columnStep !== 0) {
      const columnsAhead = columnStep > 0 ? columns.slice(from.column + 1) : columns.slice(0, from.column).toReversed();
      const next = columnsAhead.find(({ rows }) => rows.length > 0)?.rows;
      const card = next?.[Math.min(from.row, next.length - 1)];
      if (card) focusCard(card.id);
      return true;
    }
    const rows = columns[from.column]?.rows ?? [];
    const to = key === 'Home' ? 0 : key === 'End' ? rows.length - 1 : from.row + rowStep;
    const card = rows[to];
    if (!card || to === from.row) return false;
    focusCard(card.id);
    return true;
  };

  const movePickedCard = (card: PickedCard, { row, column }: NonNullable<ReturnType<typeof findCard>>, key: string): boolean => {
    const [columnStep] = ARROW_STEPS[key] ?? [0];
    if (columnStep !== 0) {
      const index = columns.findIndex(({ status }) => status === card.to);
      const to = columns[index + columnStep]?.status;
      if (!to) {
        setAnnouncement(`${getStatusLabel(card.to)} is the ${columnStep > 0 ? 'last' : 'first'} column.`);
        return true;
      }
      setPicked({ ...card, to });
      setAnnouncement(to === column.status ? `${getStatusLabel(to)}, its current column` : getStatusLabel(to));
      const section = scroller.current?.querySelector(`[data-column="${to}"]`);
      section?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      return true;
    }
    if (key === ' ' || key === 'Enter') {
      setPicked(undefined);
      setAnnouncement(card.to === column.status ? `${row.title} stays in ${getStatusLabel(card.to)}.` : '');
      move(row, column.status, card.to);
      return true;
    }
    if (key === 'Escape') cancel();
    return true;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const id = event.target instanceof HTMLElement ? event.target.dataset['card'] : undefined;
    const found = id === undefined ? undefined : findCard(board, id);
    if (!found || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { row, column } = found;
    if (picked?.id === row.id) {
      if (event.key === 'Tab') return;
      if (movePickedCard(picked, found, event.key)) event.preventDefault();
    } else if (event.key === ' ') {
      event.preventDefault();
      setPicked({ id: row.id, to: column.status });
      setAnnouncement(
        `${row.title} picked up from ${getStatusLabel(column.status)}. Choose a column with the left and right arrow keys, then press Space. Press Escape to cancel.`,
      );
    } else if (event.key in ARROW_STEPS || event.key === 'Home' || event.key === 'End') {
      const from = { column: columns.indexOf(column), row: column.rows.indexOf(row) };
      if (moveFocus(from, event.key)) event.preventDefault();
    }
  };
  return { picked, announcement, onKeyDown, cancel };
}
