/** Returns loading placeholder props for a job or quote list. Pass `customerId` for the shorter lists on a customer's page. */
export const getSkeletonRowsProps = (customerId?: string) =>
  ({ label: 'Loading...', count: customerId === undefined ? 9 : 4, className: 'h-21 lg:h-17 xl:h-14' }) as const;
