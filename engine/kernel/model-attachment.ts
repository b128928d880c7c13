/**
 * Files that go to a model.
 */

/** A file that goes to the model beside a message's text. */
export interface ModelAttachment {
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly fileName: string;
  readonly base64: string;
}
