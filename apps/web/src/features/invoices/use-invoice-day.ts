import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useToday } from '../../lib/use-today.ts';
import { useCompanyTimeZone } from '../company/company.api.ts';

/** Today for the company. What is late, and for how long, changes at midnight: a page that stays open reads it again. */
export function useInvoiceDay(): string {
  const today = useToday(useCompanyTimeZone());
  const queryClient = useQueryClient();
  const dayRead = useRef(today);
  useEffect(() => {
    if (dayRead.current === today) return;
    dayRead.current = today;
    void queryClient.invalidateQueries({ queryKey: ['invoices'] });
  }, [today, queryClient]);
  return today;
}
