import { createFileRoute } from '@tanstack/react-router';
import { SuppliersListPage } from '../../../features/suppliers/suppliers-list-page.tsx';
import { parseSearchTerm, toOptionalParams } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/items-services/')({
  staticData: { title: 'Items & Services', restoresScroll: true },
  validateSearch: (search) => toOptionalParams({ search: parseSearchTerm(search) }),
  component: ItemsAndServicesRoute,
});

function ItemsAndServicesRoute() {
  const { search } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SuppliersListPage
      title="Items & Services"
      search={search}
      onSearch={(next) => void navigate({ search: toOptionalParams({ search: next }), replace: true })}
    />
  );
}
