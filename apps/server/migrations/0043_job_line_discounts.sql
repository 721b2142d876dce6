-- A line's discount, typed as a percentage or as an amount. `discount` is the money that it takes off: total_price and discount add up to the
-- full price, which for billed time is not quantity times unit price.
alter table job_items
  add column discount_percent numeric(5, 2) check (discount_percent > 0 and discount_percent <= 100),
  add column discount_amount numeric(12, 2) check (discount_amount >= 0),
  add column discount numeric(12, 2) not null default 0 check (discount >= 0),
  add constraint one_kind_of_discount check (discount_percent is null or discount_amount is null);
