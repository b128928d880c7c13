import './kbd.css';

/** A key or a key combination, as printed on the keyboard. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className="kbd">{keys}</kbd>;
}
