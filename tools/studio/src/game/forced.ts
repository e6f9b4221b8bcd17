/** Questions with one answer only: whether it is given by itself, as this browser keeps it. */
import { others } from "../table/people";
import type { Table } from "../protocol/messages";

const KEY = "rulewright.forced";

/** What was wished; without a wish it is done where nobody else waits, as who answers at once shows that they had to. */
export function givesForced(storage: Pick<Storage, "getItem">, table: Table | undefined): boolean {
  const wish = storage.getItem(KEY);
  return wish === null ? others(table).length === 0 : wish === "yes";
}

export function keepForced(storage: Pick<Storage, "setItem">, wish: boolean): void {
  storage.setItem(KEY, wish ? "yes" : "no");
}
