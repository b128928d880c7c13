/**
 * Names of tools toward models, which allow no dots: each `.` is `__` there, and back.
 */

/** As models know a tool. */
export function wireName(tool: string): string {
  return tool.replaceAll('.', '__');
}

/** As people write a tool that a model names. */
export function toolNameOf(wire: string): string {
  return wire.replaceAll('__', '.');
}
