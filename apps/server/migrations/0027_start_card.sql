-- Kept with the person, as their menu order is: signing out clears the browser.
alter table users add column start_card_dismissed boolean not null default false;
