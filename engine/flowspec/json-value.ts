/** Any value that JSON can hold; what files, bindings, inputs and outputs are made of. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
