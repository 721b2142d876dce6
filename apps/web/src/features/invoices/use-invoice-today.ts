import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useToday } from '../../lib/use-today.ts';
import { useCompanyTimeZone } from '../company/company.api.ts';

/** Returns the company's current date. Refetches invoices when the date changes, because they become overdue at midnight. */
export function useInvoiceToday(): string {
  const today = useToday(useCompanyTimeZone());
  const queryClient = useQueryClient();
  const lastRefreshDate = useRef(today);
  useEffect(() => {
    if (lastRefreshDate.current === today) return;
    lastRefreshDate.current = today;
    void queryClient.invalidateQueries({ queryKey: ['invoices'] });
  }, [today, queryClient]);
  return today;
}
