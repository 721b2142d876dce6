/** In place of the rows of jobs and quotes, in their own lists and in the shorter ones on a customer's page. */
export const loadingRows = (customerId?: string) =>
  ({ label: 'Loading...', count: customerId === undefined ? 9 : 4, className: 'h-21 lg:h-17 xl:h-14' }) as const;
