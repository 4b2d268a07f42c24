import type { VisitorTexts } from './texts.ts';

export const FR: VisitorTexts = {
  thanks: {
    title: 'Merci',
    text: 'Votre message a bien été reçu.',
    message: 'Merci, votre message a bien été reçu.',
  },
  refused: 'Votre message n’a pas été envoyé',
  back: 'Retour à la page',
  refusals: {
    empty: 'Le formulaire est vide. Veuillez remplir au moins un champ.',
    fields: 'Certaines informations manquent ou doivent être corrigées.',
    unreadable: 'Le formulaire n’a pas pu être lu. Veuillez vérifier votre saisie et réessayer.',
    tooLarge:
      'Le formulaire est trop volumineux. Veuillez raccourcir votre saisie ou choisir des fichiers plus petits.',
    unsupported: 'Le formulaire a été envoyé dans un format non pris en charge.',
    tooManyFiles: 'Il y a trop de fichiers. Veuillez en envoyer moins à la fois.',
    fileTooLarge: 'L’un des fichiers est trop volumineux. Veuillez en choisir un plus petit.',
    fileType: 'Ce formulaire n’accepte pas ce type de fichier. Veuillez en choisir un autre.',
    tooSlow: 'L’envoi de votre message a pris trop de temps. Veuillez vérifier votre connexion et réessayer.',
    paused: 'Ce formulaire n’accepte pas de messages pour le moment.',
    notFound: 'Il n’y a pas de formulaire à cette adresse.',
    origin: 'Ce formulaire n’accepte pas de messages depuis cette page.',
    invalidKey: 'La page précédente a rencontré un problème. Veuillez la recharger et réessayer.',
    inProgress: 'Votre message est déjà en cours d’envoi. Veuillez patienter un instant avant de réessayer.',
    reusedKey:
      'Ce formulaire a déjà été envoyé avec un autre contenu. Veuillez recharger la page et le remplir à nouveau.',
    challengeMissing: 'Veuillez effectuer la vérification anti-spam, puis renvoyer le formulaire.',
    challengeFailed: 'La vérification anti-spam a échoué ou a expiré. Veuillez réessayer.',
    monthlyLimit: 'Ce formulaire n’accepte plus de messages ce mois-ci.',
    rateLimit: 'Trop de messages ont été envoyés depuis votre réseau. Veuillez patienter une minute et réessayer.',
    internal:
      'Une erreur s’est produite de notre côté et votre message n’a pas été enregistré. Veuillez réessayer dans une minute.',
  },
  faults: {
    required: 'Ce champ est obligatoire.',
    email: 'Veuillez indiquer une adresse e-mail, par exemple name@example.com.',
    number: 'Veuillez indiquer un nombre, par exemple 42.',
    url: 'Veuillez indiquer une adresse web complète, par exemple https://example.com.',
    date: 'Veuillez indiquer une date sous la forme année, mois et jour, par exemple 2026-11-30.',
    checkbox: 'Cette case peut seulement être cochée ou laissée vide.',
    file: 'Veuillez choisir un fichier au lieu de saisir du texte.',
    text: 'Veuillez saisir uniquement du texte.',
    max_length: 'Votre saisie est trop longue. Nombre maximal de caractères\u00a0: {limit}.',
    pattern: 'Votre saisie ne correspond pas au format demandé.',
    too_long: 'Ce texte est trop long. Taille maximale\u00a0: {limit}.',
    file_too_large: 'Ce fichier est trop volumineux. Taille maximale\u00a0: {limit}.',
    file_type: 'Ce type de fichier n’est pas accepté.',
    too_many_files: 'Vous avez choisi trop de fichiers. Nombre maximal de fichiers\u00a0: {limit}.',
  },
};
