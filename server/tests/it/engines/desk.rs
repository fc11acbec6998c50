mod deciding;
