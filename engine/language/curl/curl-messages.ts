/**
 * The sentences about parts of a curl command that a request ignores or handles differently.
 */

interface Named {
  readonly name: string;
}

interface FileNamed {
  readonly file: string;
}

interface MethodNamed {
  readonly method: string;
}

/** The messages in English. The window passes a translation with the same keys. */
export const curlMessages = {
  /** Where a secret was found: `Secret from the header Authorization`. */
  places: {
    url: 'the URL',
    urlParameter: ({ name }: Named) => `"${name}" of the URL`,
    header: ({ name }: Named) => `the header ${name}`,
    body: 'the body',
    bodyField: ({ name }: Named) => `"${name}" of the body`,
    formField: ({ name }: Named) => `"${name}" of the form`,
  },
  command: {
    firstUrl: ({ count }: { readonly count: number }) => `Only the first of ${count} URLs was used.`,
    rest: 'The text after the command was ignored.',
    nested: 'The command contains a nested command, which was not run. Its result is missing.',
  },
  /** By the name of a curl option. */
  options: {
    insecure: 'Certificates are always checked, so --insecure (-k) was ignored.',
    fail: 'Any status counts as a response. Instead of --fail, add a condition on "status".',
    output: 'The response becomes the output of the node. Instead of --output, add a "Write file" node after it.',
    'remote-name':
      'The response becomes the output of the node. Instead of --remote-name, add a "Write file" node after it.',
    'max-time': '--max-time was ignored. Set the timeout under "Policy".',
    'connect-timeout': '--connect-timeout was ignored. Set the timeout under "Policy".',
    retry: '--retry was ignored. Set the attempts under "Policy".',
    'upload-file': '--upload-file was ignored. Read the file with "Read files", and bind the body to its text.',
    'cookie-jar': 'Cookies are not stored, so --cookie-jar was ignored.',
    next: 'Only the request before --next was used.',
  },
  unknownOption: ({ option }: { readonly option: string }) => `${option} was ignored.`,
  request: {
    method: ({ method, usual }: MethodNamed & { readonly usual: string }) =>
      `A request can't have the method ${method}, so ${usual} is used.`,
    variableServer: 'The server in the URL is a shell variable. Enter the server.',
    header: ({ header }: { readonly header: string }) => `The header ${header} was ignored.`,
    connectionHeaders: ({ headers }: { readonly headers: string }) =>
      `Ignored, because each connection sets them itself: ${headers}.`,
    cookieFile: ({ file }: FileNamed) => `The cookies of the file ${file} were ignored.`,
    passwordMissing: '--user contains no password. curl would ask for it; here it is empty.',
    variableLogin: 'The login in --user contains variables. Set the secret to the Base64 of "name:password".',
    bodyFile: ({ file }: FileNamed) =>
      `The content of the file ${file} was not added. Read it with "Read files", and bind the body to its text.`,
    bodyIgnored: ({ method }: MethodNamed) =>
      `A ${method} request has no body here, so the body was ignored. If the server accepts another method, choose that.`,
    formIgnored: ({ method }: MethodNamed) =>
      `A ${method} request has no form here, so the form was ignored. If the server accepts another method, choose that.`,
  },
  form: {
    ignored: ({ name }: Named) => `The part ${name} of the form was ignored.`,
    unnamedIgnored: 'A part of the form without a name was ignored.',
    file: ({ file }: FileNamed) => `The form sends the file ${file}, which must be in the workspace.`,
  },
};

export type CurlMessages = typeof curlMessages;
