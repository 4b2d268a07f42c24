export const HOSTED = {
  /** The hosted page of a form. */
  hosted: {
    title: 'Hosted page',
    text: 'A page with the fields of this form, to link to or to embed. It needs no website and no script.',
    embed: 'Put this where the form should appear:',
    /** The accessible name of the frame. */
    frameTitle: 'Form',
    origins: 'Only pages of the allowed origins can embed it.',
    settings: 'Open settings',
    /** Reasons for a missing page. */
    problems: {
      off: 'This form has no hosted page yet. Turn it on in the settings.',
      fields: 'A hosted page shows the fields of the form, and none are configured. Add them in the settings.',
      challenge: 'A hosted page can’t show the widget of this challenge. Choose ALTCHA or none in the settings.',
    },
  },
};
