import { type Place, setParameters } from "../router";

/** Which states are shown: all, or those with something to look at. */
export function OnlySelect({ place }: { place: Place }) {
  return (
    <label>
      Show
      <select value={place.parameters.get("only") ?? ""} onChange={(event) => setParameters(place, { only: event.currentTarget.value })}>
        <option value="">all states</option>
        <option value="unexplored">with unexplored events</option>
        <option value="nondeterministic">with nondeterministic events</option>
        <option value="findings">with findings</option>
      </select>
    </label>
  );
}
