import type { RegisteredCompany } from '@callout/contract/admin';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { uniqueRows } from '../../lib/query-cache.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TABLET_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';
import { companiesQuery } from './admin.api.ts';
import { AdminRead, LoadMore } from './admin-read.tsx';
import { CompanyCards } from './company-cards.tsx';
import { CompanyTable } from './company-table.tsx';
import { DeleteCompany } from './delete-company.tsx';

export interface CompanyListProps {
  rows: readonly RegisteredCompany[];
  /** The company this person works for: it cannot be deleted from here. */
  own: string | undefined;
  onDelete: (company: RegisteredCompany) => void;
}

export function CompaniesSection() {
  const list = useInfiniteQuery(companiesQuery);
  const wide = useMediaQuery(TABLET_UP);
  const own = useProfile()?.company_id;
  const [asked, setAsked] = useState<RegisteredCompany | null>(null);
  const List = wide ? CompanyTable : CompanyCards;
  return (
    <Card className="overflow-clip">
      <h2 className="border-b px-4 py-3 text-lg font-semibold lg:px-5">Registered Companies</h2>
      <AdminRead query={list} what="companies">
        {({ pages }) => {
          const rows = uniqueRows(pages);
          if (rows.length === 0)
            return <EmptyState icon={Building2} sentence="No companies found" hint="The first one appears when someone signs up." />;
          return <List rows={rows} own={own} onDelete={setAsked} />;
        }}
      </AdminRead>
      <LoadMore list={list} />
      <DeleteCompany company={asked} onClose={() => setAsked(null)} />
    </Card>
  );
}
