/** Before somebody joins a company who has started one of their own and never finished setting it up. */
export function ReplacedCompany() {
  return <>You started setting up a company with this email. Joining deletes that company and everything in it.</>;
}
